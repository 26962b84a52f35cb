/** Whether a port that is bound to that address of its host is open on all of them. */
export function isEveryInterface(hostIp: string): boolean {
  return hostIp === '' || hostIp === '0.0.0.0' || hostIp === '::';
}
