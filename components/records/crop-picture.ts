import type { Area } from 'react-easy-crop';

/** Pictures are shown at 300 px at most; this leaves some for dense screens. */
const MAX_SIDE_PX = 512;

/** Cuts a square out of a picture and makes it small enough to send. Throws where the browser can't read the picture. */
export async function cropPicture(picture: File, area: Area): Promise<File> {
  const bitmap = await createImageBitmap(picture);
  const sidePx = Math.max(1, Math.min(MAX_SIDE_PX, Math.round(area.width)));
  const canvas = document.createElement('canvas');
  canvas.width = sidePx;
  canvas.height = sidePx;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser has no canvas.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, area.x, area.y, area.width, area.height, 0, 0, sidePx, sidePx);
  bitmap.close();
  // A photo stays small as JPEG; all else may be see-through.
  const [type, name] = picture.type === 'image/jpeg' ? ['image/jpeg', 'avatar.jpg'] : ['image/png', 'avatar.png'];
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.92));
  if (!blob) throw new Error('The browser could not write the picture.');
  return new File([blob], name, { type });
}
