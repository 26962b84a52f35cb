/** Whether the text is an absolute path that names one place: no `..`, no empty or `.` steps, no NUL. */
export function isAbsolutePath(path: string): boolean {
  if (!path.startsWith('/') || path.includes('\u0000') || /[\r\n]/.test(path)) return false;
  if (path === '/') return true;
  const steps = path.replace(/\/$/, '').slice(1).split('/');
  return steps.every((step) => step !== '' && step !== '.' && step !== '..');
}

/** The same place written one way. */
export function plainPath(path: string): string {
  return path.length > 1 ? path.replace(/\/$/, '') : path;
}
