// The search shows excerpts of pages. They leave out the letters and styles of the pictures in the pages.
addEventListener("DOMContentLoaded", () => {
    if (typeof Search === "undefined") return;
    const text = Search.htmlToText;
    Search.htmlToText = (page, ...rest) => text(page.replace(/<svg\b[^]*?<\/svg>/g, ""), ...rest);
});
