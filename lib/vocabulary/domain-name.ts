export const INVALID_DOMAIN = 'Please enter a valid domain.';

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether the text is a lower-case domain name such as `example.org` or `localhost`. */
export function isDomainName(text: string): boolean {
  return text.length <= 253 && text.split('.').every((label) => LABEL.test(label)) && !/^[\d.]+$/.test(text);
}

/** Whether the text may stand in front of a domain; several labels are fine. */
export function isSubdomain(text: string): boolean {
  return text.length <= 200 && text.split('.').every((label) => LABEL.test(label));
}
