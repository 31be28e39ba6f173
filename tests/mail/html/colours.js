// Writes the commonest colour of each piece of a screenshot, and the best contrast with it.
const luminance = (rgb) => {
  const [r, g, b] = rgb.map((c) => {
    c /= 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => {
  const [dark, light] = [luminance(a), luminance(b)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};
const shot = new Image();
shot.onload = () => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [shot.width, shot.height];
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(shot, 0, 0);
  const look = ({ at: [x, y, width, height] }) => {
    const inset = 4;
    const area = [x + inset, y + 2, width - 2 * inset, height - 4].map(Math.round);
    const { data } = context.getImageData(...area);
    const counts = new Map();
    for (let i = 0; i < data.length; i += 4) {
      const key = [data[i], data[i + 1], data[i + 2]].join();
      counts.set(key, (counts.get(key) || 0) + 1);
    }
    const colours = [...counts.entries()].sort((a, b) => b[1] - a[1]);
    const rgb = (key) => key.split(",").map(Number);
    const ground = rgb(colours[0][0]);
    const best = Math.max(...colours.map(([key]) => contrast(rgb(key), ground)));
    return { ground, contrast: best };
  };
  const paper = [...context.getImageData(2, 2, 1, 1).data].slice(0, 3);
  const seen = { paper, pieces: pieces.map(look) };
  document.getElementById("out").textContent = JSON.stringify(seen);
};
shot.src = image;
