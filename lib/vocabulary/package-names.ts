/** The name that an index knows a package by, without extras. */
export function plainPackageName(name: string): string {
  return name
    .replace(/\[.*$/, '')
    .toLowerCase()
    .replace(/[-_.]+/g, '-');
}
