/** Whether the text is an http or https address that names nobody's account. */
export function isWebAddress(value: string): boolean {
  try {
    const { protocol, username, password } = new URL(value);
    return /^https?:$/.test(protocol) && username === '' && password === '';
  } catch {
    return false;
  }
}
