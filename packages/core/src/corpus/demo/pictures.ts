import { png } from '../base/png.ts';

/** A made-up screenshot of a checkout page. `covered`: a banner lies over the pay button. */
export function checkoutPage(covered: boolean): Uint8Array {
  return png({
    width: 180,
    height: 120,
    pixel: (x, y) => {
      if (y < 14) return 0x25364f;
      if (covered && y > 84 && y < 112 && x > 60) return 0xf2c14e;
      if (y > 90 && y < 106 && x > 112 && x < 166) return 0x2e8b57;
      if (y > 24 && y < 78 && x > 14 && x < 166) return (y - 24) % 14 < 3 && x < 120 ? 0x9aa3ad : 0xffffff;
      return 0xf3f1ec;
    },
  });
}

/** A colour swatch of 8 × 8 pixels, small enough to stay inside the session file. */
export function swatch(rgb: number): Uint8Array {
  return png({ width: 8, height: 8, pixel: () => rgb });
}

/** A bar chart; `heights` in 0 … 1. */
export function barChart(heights: readonly number[]): Uint8Array {
  const width = heights.length * 14 + 8;
  return png({
    width,
    height: 90,
    pixel: (x, y) => {
      const bar = heights[Math.floor((x - 4) / 14)];
      if (y > 83) return 0x8a857c;
      return bar !== undefined && (x - 4) % 14 < 10 && 84 - y < bar * 78 ? 0x2f639c : 0xfbfaf7;
    },
  });
}
