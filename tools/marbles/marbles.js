// Lets the readers of a page play with its marble pictures: whoever moves a marble of a source sees what the operator
// makes of it, by the library itself, which runs in virtual time as WebAssembly (README.md). Without this script, or
// where anything of it fails, the pictures are pictures.
(() => {
    "use strict";
    // As scripts/pictures.py draws.
    const FRAME = 34, LEFT = 24, RADIUS = 14;
    const COLOURS = ["#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#e15759", "#76b7b2", "#9c755f", "#edc948"];
    // A frame of the picture is so many of the diagrams that are sent: room for what happens at once.
    const FINE = 16;
    const NAMES = { "|": "completion", "#": "error" };
    const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -Infinity, End: Infinity };
    const isEnd = text => text === "|" || text === "#";
    const here = document.currentScript.src;

    function escaped(text) {
        return text.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`);
    }

    function colour(text) {
        const letter = (text.replace(/^[[(]+/, "") || text)[0];
        const place = letter.charCodeAt(0) - (/\d/.test(letter) ? "1" : "a").charCodeAt(0);
        return COLOURS[(place % COLOURS.length + COLOURS.length) % COLOURS.length];
    }

    function marble(x, y, text) {
        const width = Math.max(2 * RADIUS, 8 * text.length + 12);
        return `<rect x="${x - width / 2}" y="${y - RADIUS}" width="${width}" height="${2 * RADIUS}" rx="${RADIUS}" ` +
            `fill="${colour(text)}"/><text x="${x}" y="${y + 5}" fill="#fff">${escaped(text)}</text>`;
    }

    function end(x, y, text) {
        return text === "|" ? `<path d="M${x} ${y - 16}v32" stroke="#333" stroke-width="3"/>`
            : `<path d="M${x - 9} ${y - 9}l18 18m0 -18l-18 18" stroke="#c22" stroke-width="3"/>`;
    }

    /** What happens on a line, as [shape, index]: what happens at once stands one below the other, the first on top. */
    function shapes(events, y) {
        const drawn = [];
        for (const frame of new Set(events.map(([frame]) => frame).sort((a, b) => a - b))) {
            const x = LEFT + frame * FRAME, now = events.map(([at, text], index) => ({ at, text, index }))
                .filter(event => event.at === frame);
            const shown = now.filter(event => !isEnd(event.text));
            shown.map(({ text, index }, place) => [marble(x, y + place * 1.25 * RADIUS, text), index]).reverse()
                .forEach(shape => drawn.push(shape));
            for (const { text, index } of now.filter(event => isEnd(event.text)))
                drawn.push([end(x + (shown.length ? RADIUS + 5 : 0), y, text), index]);
        }
        return drawn;
    }

    function inWords(events) {
        return events.map(([frame, text]) => `${NAMES[text] ?? text} at ${frame}`).join(", ") || "nothing";
    }

    class Line {
        constructor(group, last) {
            this.group = group;
            this.last = last;
            this.y = Number(group.dataset.y);
            this.events = this.before = JSON.parse(group.dataset.events);
        }

        show(events) {
            this.events = events;
            this.group.dataset.events = JSON.stringify(events);
            this.group.innerHTML = shapes(events, this.y).map(([shape, index]) => this.part(shape, index)).join("\n");
        }

        part(shape) { return shape; }
        get isAsBefore() { return this.events.every(([frame], index) => frame === this.before[index][0]); }
    }

    /** A line whose marks can be moved. */
    class Source extends Line {
        show(events) {
            const focused = this.group.contains(document.activeElement) && document.activeElement.dataset.index;
            super.show(events);
            if (focused) this.mark(focused).focus({ preventScroll: true });
        }

        part(shape, index) {
            const [frame, text] = this.events[index], [least, most] = this.bounds(index);
            const hold = isEnd(text) ? shape.replace(/stroke="#\w+" stroke-width="3"/, 'class="hold"') : "";
            return `<g class="mark" data-index="${index}" tabindex="0" role="slider" ` +
                `aria-label="${escaped(NAMES[text] ?? text)}" aria-valuenow="${frame}" ` +
                `aria-valuemin="${least}" aria-valuemax="${most}">${shape}${hold}</g>`;
        }

        /** Between which frames a mark may be: no value comes after the end. */
        bounds(index) {
            const own = isEnd(this.events[index][1]);
            const frames = this.events.filter(([, text]) => isEnd(text) !== own).map(([frame]) => frame);
            return own ? [Math.max(0, ...frames), this.last] : [0, Math.min(this.last, ...frames)];
        }

        mark(index) { return this.group.querySelector(`[data-index="${index}"]`); }

        /** As the library reads it. */
        get diagram() {
            const frames = new Map();
            for (const [frame, text] of [...this.events].sort((a, b) => isEnd(a[1]) - isEnd(b[1])))
                frames.set(frame, (frames.get(frame) ?? "") + text);
            const last = Math.max(0, ...frames.keys());
            return Array.from({ length: last + 1 }, (_, frame) => {
                const marks = frames.get(frame) ?? "";
                return (marks.length > 1 ? `(${marks})` : marks).padEnd(FINE, "-");
            }).join("");
        }
    }

    class Picture {
        constructor(svg, module) {
            this.svg = svg;
            this.module = module;
            this.last = Number(svg.dataset.frames);
            this.sources = [...svg.querySelectorAll(".source")].map(group => new Source(group, this.last));
            this.results = [...svg.querySelectorAll(".result")].map(group => new Line(group, this.last));
        }

        /** What the library says: the events of each line below the box. Each time by an instance of its own. */
        async ask() {
            const { operator, code } = this.svg.dataset;
            const request = new TextEncoder().encode(
                [operator, code, FINE, ...this.sources.map(source => source.diagram)].join("\n"));
            const { memory, room, answer } = (await WebAssembly.instantiate(this.module)).exports;
            const place = room(request.length);
            new Uint8Array(memory.buffer).set(request, place);
            const begin = answer(place, request.length), bytes = new Uint8Array(memory.buffer);
            const text = new TextDecoder().decode(bytes.subarray(begin, bytes.indexOf(0, begin)));
            const lines = this.results.map(() => []);
            for (const [, line, frame, value] of text.matchAll(/^(\d+) (\d+) (.*)$/gm))
                if (frame <= this.last) lines[line].push([Number(frame), value]);
            return lines;
        }

        /** Shows what the library says to the marbles as they are now. Ready when it has said that. */
        async show() {
            delete this.svg.dataset.ready;
            const asked = this.asked = this.sources.map(source => source.diagram).join();
            try {
                const lines = await this.ask();
                if (asked !== this.asked) return; // has been moved on
                lines.forEach((events, index) => this.results[index].show(events));
                this.again.hidden = this.sources.every(source => source.isAsBefore);
            } finally {
                if (asked === this.asked) this.svg.dataset.ready = "";
            }
        }

        move(source, index, frame) {
            const [least, most] = source.bounds(index);
            const to = Math.min(most, Math.max(least, frame));
            if (to === source.events[index][0]) return;
            source.show(source.events.map((event, at) => at === index ? [to, event[1]] : event));
            this.show().then(() => {
                this.said.textContent = this.results.map(line => inWords(line.events)).join("; ");
            });
        }

        /** Begins, if the library knows the picture. */
        async begin() {
            this.again = Object.assign(document.createElement("button"), { textContent: "as it was", hidden: true });
            this.said = Object.assign(document.createElement("span"), { className: "marbles-said" });
            this.said.setAttribute("role", "status");
            const known = await this.ask();
            if (!known.some(events => events.length)) return;
            const hint = Object.assign(document.createElement("p"), { className: "marbles-hint" });
            hint.append("Move the marbles, with the mouse or the arrow keys: the library answers. ");
            hint.append(this.again, this.said);
            this.svg.after(hint);
            this.svg.setAttribute("role", "group");
            this.svg.setAttribute("aria-label", this.svg.dataset.code);
            this.svg.querySelector("title").remove();
            this.sources.forEach(source => source.show(source.events));
            known.forEach((events, index) => this.results[index].show(events));
            this.listen();
            this.svg.dataset.ready = "";
        }

        /** The source and the index of the mark that an event is about. */
        at(event) {
            const mark = event.target.closest(".mark");
            return mark && [this.sources.find(source => source.group.contains(mark)), Number(mark.dataset.index)];
        }

        listen() {
            let held = null;
            this.svg.addEventListener("pointerdown", event => {
                held = this.at(event);
                if (!held) return;
                this.svg.setPointerCapture(event.pointerId);
                held[0].mark(held[1]).focus({ preventScroll: true });
                event.preventDefault();
            });
            this.svg.addEventListener("pointermove", event => {
                if (!held) return;
                const point = new DOMPoint(event.clientX, event.clientY);
                const { x } = point.matrixTransform(this.svg.getScreenCTM().inverse());
                this.move(...held, Math.round((x - LEFT) / FRAME));
            });
            for (const over of ["pointerup", "pointercancel"]) this.svg.addEventListener(over, () => { held = null; });
            this.svg.addEventListener("keydown", event => {
                const found = event.key in KEYS && this.at(event);
                if (!found) return;
                const [source, index] = found;
                this.move(source, index, source.events[index][0] + KEYS[event.key]);
                event.preventDefault();
            });
            this.again.addEventListener("click", () => {
                for (const source of this.sources) source.show(source.before);
                this.show();
            });
        }
    }

    /** What marbles-wasm.js calls: the module, packed. */
    window.marblesWasm = async packed => {
        const bytes = Uint8Array.from(atob(packed), letter => letter.charCodeAt(0));
        const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
        const module = await WebAssembly.compile(await new Response(unpacked).arrayBuffer());
        for (const svg of document.querySelectorAll("svg.marbles")) {
            await new Picture(svg, module).begin().catch(fault => console.error(fault));
        }
        document.documentElement.dataset.marbles = "ready";
    };

    document.addEventListener("DOMContentLoaded", () => {
        if (!document.querySelector("svg.marbles") || !window.WebAssembly || !window.DecompressionStream) return;
        const script = document.createElement("script");
        script.src = new URL("marbles-wasm.js", here);
        document.head.append(script);
    });
})();
