// A squarified treemap (Bruls, Huizing and van Wijk): rectangles whose areas are as their weights and whose
// sides are as nearly equal as can be had. One level at a time; the caller goes down.

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

// The worst ratio of sides in a row of areas along a side of the given length.
function worst(areas: number[], side: number): number {
  const sum = areas.reduce((total, area) => total + area, 0);
  const thickness = sum / side;
  let ratio = 1;
  for (const area of areas) {
    const length = area / thickness;
    ratio = Math.max(ratio, length / thickness, thickness / length);
  }
  return ratio;
}

// squarify gives each weight its part of the box, in the order of the weights. Weights must be positive.
export function squarify(weights: number[], box: Box): Box[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const result: Box[] = new Array(weights.length);
  if (total <= 0 || box.width <= 0 || box.height <= 0) {
    return result.fill({ x: box.x, y: box.y, width: 0, height: 0 });
  }
  const scale = (box.width * box.height) / total;
  const order = weights.map((_, at) => at).sort((a, b) => weights[b]! - weights[a]!);
  const rest = { ...box };
  let at = 0;
  while (at < order.length) {
    const side = Math.min(rest.width, rest.height);
    const row: number[] = [];
    const members: number[] = [];
    // A row takes one more as long as that does not make its rectangles longer.
    while (at < order.length) {
      const area = weights[order[at]!]! * scale;
      if (row.length > 0 && worst([...row, area], side) > worst(row, side)) break;
      row.push(area);
      members.push(order[at]!);
      at += 1;
    }
    const thickness = row.reduce((sum, area) => sum + area, 0) / side;
    const lies_down = rest.width < rest.height;
    let offset = 0;
    row.forEach((area, n) => {
      const length = area / thickness;
      result[members[n]!] = lies_down
        ? { x: rest.x + offset, y: rest.y, width: length, height: thickness }
        : { x: rest.x, y: rest.y + offset, width: thickness, height: length };
      offset += length;
    });
    if (lies_down) {
      rest.y += thickness;
      rest.height -= thickness;
    } else {
      rest.x += thickness;
      rest.width -= thickness;
    }
  }
  return result;
}
