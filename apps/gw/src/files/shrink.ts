import { errorMessage } from '@gateway/contract/error-code';
import { convertIndexedToRgb, decode as decodePng, encode as encodePng } from 'fast-png';
import jpeg from 'jpeg-js';

/** Pixels that are decoded: 400 MB of memory. */
const MOST_PIXELS = 100_000_000;
/** Pixels of the longer side of a smaller picture: larger ones are made smaller by engines anyway. */
const SIDE = 1568;

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Four bytes for each pixel. */
  readonly data: Uint8Array;
}

/** A smaller copy of a picture that is too large for engines. */
export function shrink(
  bytes: Buffer,
  kind: 'image/png' | 'image/jpeg',
  mostBytes: number,
): { readonly url: string; readonly note: string } | { readonly fault: string } {
  if (kind === 'image/png' && bytes.readUInt32BE(16) * bytes.readUInt32BE(20) > MOST_PIXELS)
    return { fault: 'The picture has more than 100 million pixels.' };
  let pixels: Pixels;
  try {
    pixels =
      kind === 'image/png'
        ? pngPixels(bytes)
        : jpeg.decode(bytes, { useTArray: true, maxResolutionInMP: 100, maxMemoryUsageInMB: 1024 });
  } catch (error) {
    return { fault: `The picture cannot be decoded: ${errorMessage(error)}.` };
  }
  for (let side = SIDE; side >= 200; side = Math.floor(side / 1.5)) {
    const small = scale(pixels, side);
    const note = `made smaller, from ${pixels.width}×${pixels.height} to ${small.width}×${small.height} pixels`;
    const png = kind === 'image/png' ? Buffer.from(encodePng({ ...small, channels: 4, depth: 8 })) : null;
    if (png !== null && png.length <= mostBytes / 2)
      return { url: `data:image/png;base64,${png.toString('base64')}`, note };
    const { data } = jpeg.encode({ width: small.width, height: small.height, data: small.data }, 85);
    if (data.length <= mostBytes)
      return { url: `data:image/jpeg;base64,${Buffer.from(data).toString('base64')}`, note };
  }
  return { fault: 'The picture cannot be made small enough.' };
}

function pngPixels(bytes: Buffer): Pixels {
  const image = decodePng(bytes);
  const { width, height } = image;
  const channels = image.palette === undefined ? image.channels : (image.palette[0]?.length ?? 3);
  const source = image.palette === undefined ? image.data : convertIndexedToRgb(image);
  const shift = image.depth === 16 ? 8 : 0;
  // Greys of fewer than eight bits are widened.
  const factor = image.palette === undefined && image.depth < 8 ? 255 / (2 ** image.depth - 1) : 1;
  const data = new Uint8Array(width * height * 4);
  const isGrey = channels < 3;
  const alpha = channels === 2 ? 1 : channels === 4 ? 3 : null;
  for (let at = 0, from = 0, to = 0; at < width * height; at += 1, from += channels, to += 4) {
    data[to] = ((source[from] ?? 0) >> shift) * factor;
    data[to + 1] = ((source[isGrey ? from : from + 1] ?? 0) >> shift) * factor;
    data[to + 2] = ((source[isGrey ? from : from + 2] ?? 0) >> shift) * factor;
    data[to + 3] = alpha === null ? 255 : ((source[from + alpha] ?? 0) >> shift) * factor;
  }
  return { width, height, data };
}

/** Each new pixel is the mean of those that it stands for. */
function scale(pixels: Pixels, side: number): Pixels {
  const ratio = Math.max(1, Math.max(pixels.width, pixels.height) / side);
  const width = Math.max(1, Math.round(pixels.width / ratio));
  const height = Math.max(1, Math.round(pixels.height / ratio));
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    const top = Math.floor((y * pixels.height) / height);
    const bottom = Math.max(top + 1, Math.floor(((y + 1) * pixels.height) / height));
    for (let x = 0; x < width; x += 1) {
      const left = Math.floor((x * pixels.width) / width);
      const right = Math.max(left + 1, Math.floor(((x + 1) * pixels.width) / width));
      let [red, green, blue, alpha] = [0, 0, 0, 0];
      for (let row = top; row < bottom; row += 1) {
        const end = (row * pixels.width + right) * 4;
        for (let from = (row * pixels.width + left) * 4; from < end; from += 4) {
          red += pixels.data[from] ?? 0;
          green += pixels.data[from + 1] ?? 0;
          blue += pixels.data[from + 2] ?? 0;
          alpha += pixels.data[from + 3] ?? 0;
        }
      }
      const count = (bottom - top) * (right - left);
      const to = (y * width + x) * 4;
      data[to] = Math.round(red / count);
      data[to + 1] = Math.round(green / count);
      data[to + 2] = Math.round(blue / count);
      data[to + 3] = Math.round(alpha / count);
    }
  }
  return { width, height, data };
}
