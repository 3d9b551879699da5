/** Type code of macOS's icon file → width in pixels of the PNG kept under it; several codes are for doubled density. */
export const icnsImages = {
  icp4: 16,
  icp5: 32,
  ic07: 128,
  ic08: 256,
  ic09: 512,
  ic11: 32,
  ic12: 64,
  ic13: 256,
  ic14: 512,
  ic10: 1024,
} as const;

/** An icon file for macOS: a header, then each image with its type code and length, all lengths with their own header. */
export function icns(pngOf: (width: number) => Uint8Array): Buffer {
  const images = Object.entries(icnsImages).map(([code, width]) => block(code, pngOf(width)));
  return block('icns', Buffer.concat(images));
}

function block(code: string, content: Uint8Array): Buffer {
  const header = Buffer.alloc(8);
  header.write(code, 'latin1');
  header.writeUInt32BE(header.length + content.length, 4);
  return Buffer.concat([header, content]);
}
