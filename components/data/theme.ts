/** Switches between light and dark, for this browser from now on. */
export function toggleTheme(): void {
  const isDark = document.body.classList.toggle('dark');
  localStorage.setItem('berth-theme', isDark ? 'dark' : 'light');
}
