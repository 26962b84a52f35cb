/** Whether a place is a folder or lies in it, by their names alone; both absolute and written plainly. */
export function isInside(folder: string, place: string): boolean {
  return place === folder || place.startsWith(folder === '/' ? '/' : `${folder}/`);
}
