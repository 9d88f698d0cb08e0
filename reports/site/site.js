// SPDX-License-Identifier: Apache-2.0
// Filters of the matrix, moving in it by keys, and the difference of any two columns. Every page reads without it. Text
// only ever becomes text: nothing here makes markup of a string.
"use strict";

(function () {
    function textOf(cell) {
        const mark = cell.querySelector(".v");
        return mark ? mark.textContent : "";
    }

    // ---- the matrix ------------------------------------------------------------------------------------------------

    function matrix(table, form) {
        const heads = Array.from(table.tHead.querySelectorAll(".columns th")).slice(1);
        const groups = Array.from(table.tHead.querySelectorAll(".suites th"));
        const bodies = Array.from(table.tBodies).map(function (body) {
            return {
                body: body,
                section: body.dataset.section,
                rows: Array.from(body.rows).filter(function (row) { return !row.classList.contains("section"); })
                    .map(function (row) {
                        const cells = Array.from(row.cells).slice(1);
                        return { row: row, cells: cells, letters: cells.map(textOf), text: row.cells[0].textContent.toLowerCase() };
                    }),
            };
        });
        const count = document.getElementById("count");
        let shown = heads.map(function () { return true; });

        function showColumns(wanted) {
            wanted.forEach(function (show, i) {
                if (show === shown[i]) { return; }
                heads[i].hidden = !show;
                bodies.forEach(function (each) {
                    each.rows.forEach(function (entry) { entry.cells[i].hidden = !show; });
                });
            });
            shown = wanted;
            let first = 0;
            groups.forEach(function (group) {
                const width = Number(group.dataset.width || group.colSpan);
                group.dataset.width = width;
                const visible = shown.slice(first, first + width).filter(Boolean).length;
                group.hidden = visible === 0;
                if (visible) { group.colSpan = visible; }
                first += width;
            });
        }

        function apply() {
            const field = function (name) { return form.elements[name].value; };
            const words = field("text").toLowerCase().split(/\s+/).filter(Boolean);
            showColumns(heads.map(function (head, i) {
                return (!field("gpu") || head.dataset.gpu === field("gpu")) &&
                    (!field("driver") || head.dataset.driver === field("driver")) &&
                    (field("column") === "" || Number(field("column")) === i);
            }));
            const differs = form.elements.differs.checked;
            let rows = 0;
            let all = 0;
            bodies.forEach(function (each) {
                let any = false;
                each.rows.forEach(function (entry) {
                    const visible = entry.letters.filter(function (letter, i) { return shown[i]; });
                    const keep = (!field("section") || each.section === field("section")) &&
                        (!field("strength") || entry.row.dataset.strength === field("strength")) &&
                        (!field("verdict") || visible.includes(field("verdict"))) &&
                        words.every(function (word) { return entry.text.includes(word); }) &&
                        (!differs || new Set(visible).size > 1);
                    entry.row.hidden = !keep;
                    any = any || keep;
                    rows += keep ? 1 : 0;
                    all += 1;
                });
                each.body.hidden = !any;
            });
            const columns = shown.filter(Boolean).length;
            count.textContent = rows + " of " + all + " statements, " + columns + (columns === 1 ? " column" : " columns");
        }

        form.hidden = false;
        form.addEventListener("input", apply);
        form.addEventListener("submit", function (event) { event.preventDefault(); });
        form.addEventListener("reset", function () { setTimeout(apply, 0); });
        if (matchMedia("(max-width: 40rem)").matches && heads.length > 1) { form.elements.column.value = "0"; }
        apply();
        keys(table);
    }

    // One cell takes part in the order of tabs; arrow keys move it, Enter follows its link.
    function keys(table) {
        const visible = function (element) { return element && !element.hidden && !element.parentElement.hidden; };
        let current = null;
        function select(cell, focus) {
            if (!cell) { return; }
            if (current) { current.removeAttribute("tabindex"); }
            current = cell;
            cell.tabIndex = 0;
            if (focus) { cell.focus(); cell.scrollIntoView({ block: "nearest", inline: "nearest" }); }
        }
        function rowsOf() {
            return Array.from(table.querySelectorAll("tbody tr:not(.section)")).filter(function (row) {
                return !row.hidden && !row.parentElement.hidden;
            });
        }
        const first = table.querySelector("tbody tr:not(.section) td");
        select(first, false);
        table.addEventListener("focusin", function (event) {
            const cell = event.target.closest("td");
            if (cell && cell !== current && cell.parentElement.parentElement.tagName === "TBODY") { select(cell, false); }
        });
        table.addEventListener("keydown", function (event) {
            const cell = event.target.closest("tbody td");
            if (!cell) { return; }
            const row = cell.parentElement;
            let next = null;
            if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
                const step = event.key === "ArrowRight" ? "nextElementSibling" : "previousElementSibling";
                next = cell[step];
                while (next && next.hidden) { next = next[step]; }
                if (next && next.tagName !== "TD") { next = null; }
            } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
                const rows = rowsOf();
                const other = rows[rows.indexOf(row) + (event.key === "ArrowDown" ? 1 : -1)];
                next = other ? other.cells[cell.cellIndex] : null;
            } else if (event.key === "Home" || event.key === "End") {
                const cells = Array.from(row.cells).slice(1).filter(visible);
                next = cells[event.key === "Home" ? 0 : cells.length - 1];
            } else if (event.key === "Enter") {
                const link = cell.querySelector("a");
                if (link) { link.click(); }
                return;
            } else {
                return;
            }
            event.preventDefault();
            select(next, true);
        });
    }

    // ---- any two columns -------------------------------------------------------------------------------------------

    function element(tag, text, name) {
        const made = document.createElement(tag);
        if (text) { made.textContent = text; }
        if (name) { made.className = name; }
        return made;
    }

    function verdict(letter, names) {
        const cell = element("td");
        if (letter === ".") {
            cell.append(element("span", "no cell", "none"));
            return cell;
        }
        const name = names[letter] || "?";
        const mark = element("span", letter, "v v-" + name.toLowerCase().replace(/ /g, "-"));
        mark.setAttribute("aria-hidden", "true");
        cell.append(mark, " " + name);
        return cell;
    }

    function pair(form, data) {
        const result = document.getElementById("pair-result");
        const count = document.getElementById("pair-count");
        const from = form.elements.from;
        const to = form.elements.to;
        data.columns.forEach(function (column, i) {
            [from, to].forEach(function (select) {
                const option = element("option", column.title);
                option.value = String(i);
                select.append(option);
            });
        });

        function show() {
            const before = data.columns[Number(from.value)];
            const after = data.columns[Number(to.value)];
            const table = element("table", "", "changes");
            table.append(element("caption", "Cells whose verdict differs"));
            const head = table.createTHead().insertRow();
            ["cell", "from", "to"].forEach(function (name) {
                const cell = element("th", name);
                cell.scope = "col";
                head.append(cell);
            });
            const body = table.createTBody();
            let changed = 0;
            data.cells.forEach(function (cell, i) {
                if (before.letters[i] === after.letters[i]) { return; }
                changed += 1;
                const row = body.insertRow();
                const name = element("th");
                name.scope = "row";
                const link = element("a", cell[0], "id");
                link.href = cell[3];
                name.append(link, " ", element("span", cell[1], "of"), element("br"), element("span", cell[2], "of"));
                row.append(name, verdict(before.letters[i], data.names), verdict(after.letters[i], data.names));
            });
            count.textContent = changed + " of " + data.cells.length + " cells differ";
            result.replaceChildren();
            if (changed) {
                const scroll = element("div", "", "scroll");
                scroll.tabIndex = 0;
                scroll.setAttribute("role", "group");
                scroll.setAttribute("aria-label", "Cells that differ");
                scroll.append(table);
                result.append(scroll);
            }
            history.replaceState(null, "", "#from=" + before.name + "&to=" + after.name);
        }

        const asked = new URLSearchParams(location.hash.slice(1));
        const place = function (name, otherwise) {
            const found = data.columns.findIndex(function (column) { return column.name === asked.get(name); });
            return String(found < 0 ? otherwise : found);
        };
        from.value = place("from", Math.min(1, data.columns.length - 1));
        to.value = place("to", 0);
        form.hidden = false;
        form.addEventListener("input", show);
        form.elements.swap.addEventListener("click", function () {
            const kept = from.value;
            from.value = to.value;
            to.value = kept;
            show();
        });
        show();
    }

    const table = document.querySelector("#matrix table");
    const filters = document.getElementById("filters");
    if (table && filters) { matrix(table, filters); }
    const pairs = document.getElementById("pair");
    const data = document.getElementById("letters");
    if (pairs && data) {
        const read = JSON.parse(data.textContent);
        if (read.columns.length > 1) { pair(pairs, read); }
    }
})();
