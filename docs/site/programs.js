// Tabs for the programs of a subject, one for each language. Without this script each program is a part
// that can be opened. The language that a reader has chosen is kept for all pages.
"use strict";
(function () {
    const KEY = "quatint-language";
    const groups = [];

    function show(language) {
        for (const { parts, buttons } of groups) {
            let chosen = parts.findIndex((part) => part.dataset.language === language);
            if (chosen < 0) chosen = 0;
            parts.forEach((part, i) => (part.open = i === chosen));
            buttons.forEach((button, i) => button.setAttribute("aria-selected", String(i === chosen)));
        }
    }

    function stored() {
        try {
            return localStorage.getItem(KEY);
        } catch {
            return null; // the browser keeps nothing
        }
    }

    function choose(language) {
        try {
            localStorage.setItem(KEY, language);
        } catch {
            // the choice holds for this page alone
        }
        show(language);
    }

    for (const group of document.querySelectorAll(".programs")) {
        const parts = [...group.querySelectorAll("details")];
        const row = document.createElement("div");
        row.setAttribute("role", "tablist");
        const buttons = parts.map((part) => {
            const button = document.createElement("button");
            button.type = "button";
            button.textContent = part.dataset.language;
            button.setAttribute("role", "tab");
            button.addEventListener("click", () => {
                const before = button.getBoundingClientRect().top;
                choose(part.dataset.language);
                window.scrollBy(0, button.getBoundingClientRect().top - before); // the button stays where it is
            });
            row.append(button);
            return button;
        });
        group.prepend(row);
        group.classList.add("tabbed");
        groups.push({ parts, buttons });
    }
    show(stored());
})();
