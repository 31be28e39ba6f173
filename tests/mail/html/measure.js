// Measures each page of the sheet (one iframe per page) and writes the results into #out, as JSON:
// the width that the page needs, the texts that are cut off, and the boxes of points and pieces.
const measured = () => {
  const all = [];
  for (const frame of document.querySelectorAll("iframe")) {
    const doc = frame.contentDocument;
    const box = (of) => {
      const { x, y, width, height } = of.getBoundingClientRect();
      return [x, y, width, height];
    };
    const page = { wide: doc.documentElement.scrollWidth, clipped: [], rows: [], pieces: [] };
    for (const of of doc.querySelectorAll("td, p, pre, a")) {
      if (of.scrollWidth > of.clientWidth + 1 && of.clientWidth > 0) {
        page.clipped.push(of.textContent);
      }
    }
    const board = doc.querySelector("table[role=img]");
    // The background colours of points; pieces have the colours of `kind`.
    const squares = ["#5d4733", "#745a41", "#6b5f1f"];
    for (const td of board.querySelectorAll("td")) {
      const [x, y, width, height] = box(td);
      const ground = td.getAttribute("bgcolor");
      const text = td.textContent.trim();
      const isPoint = squares.includes(ground);
      if (isPoint) {
        const row = page.rows.find((row) => Math.abs(row[0][1] - y) < 3);
        row ? row.push(box(td)) : page.rows.push([box(td)]);
      }
      const kind = { "#1d5a94": "O", "#9a2a2c": "X" }[ground];
      if (kind || (isPoint && !td.querySelector("td"))) {
        const at = [x + frame.offsetLeft, y + frame.offsetTop, width, height];
        page.pieces.push({ kind: kind || "point", text, at });
      }
    }
    all.push(page);
  }
  document.getElementById("out").textContent = JSON.stringify(all);
};
window.onload = measured;
