/** What the console adds to the end of an address, in this order, for the service server to find. */
const RETURN = /[?&]berth-state=([^&]*)&csrf_token=([^&]*)&user=[^&]*$/;

export interface ReturnParts {
  /** The path and query as they were before, byte for byte. */
  uri: string;
  state: string;
  csrfToken: string;
}

/** An address with what tells the service server that its person was let in. */
export function returnAddress(address: string, parts: { state: string; csrfToken: string; user: string }): string {
  const [state, csrf, user] = [parts.state, parts.csrfToken, parts.user].map(encodeURIComponent);
  return `${address}${address.includes('?') ? '&' : '?'}berth-state=${state}&csrf_token=${csrf}&user=${user}`;
}

/** What was added to a path and query; undefined where nothing was. */
export function readReturnAddress(uri: string): ReturnParts | undefined {
  const found = RETURN.exec(uri);
  if (!found) return undefined;
  const [state, csrfToken] = [found[1]!, found[2]!].map(decode);
  return { uri: uri.slice(0, found.index), state: state!, csrfToken: csrfToken! };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
