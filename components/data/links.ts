/** Where a click leads inside the console, in this tab; undefined for every other click, and for a link to the same page. */
export function linkOf(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || link.hasAttribute('download')) return undefined;
  if (link.target === '_blank' || link.origin !== window.location.origin) return undefined;
  if (link.pathname === window.location.pathname || link.pathname.startsWith('/api/')) return undefined;
  return link.pathname + link.search + link.hash;
}

/** The part of the Navigation API that is used here; not every browser has it. */
interface NavigationApi extends EventTarget {
  traverseTo: (key: string) => unknown;
}
interface TraverseEvent extends Event {
  navigationType: string;
  destination: { url: string; key: string };
}

/** Stops the browser's back and forward to another page while `isHeld`, and hands over the move. Returns its end. */
export function watchTraversal(isHeld: () => boolean, onMove: (move: () => void) => void): () => void {
  const navigation = (window as { navigation?: NavigationApi }).navigation;
  if (!navigation) return () => undefined;
  let allowed = '';
  const onNavigate = (event: Event) => {
    const { navigationType, destination, cancelable } = event as TraverseEvent;
    if (navigationType !== 'traverse' || !cancelable || !isHeld() || destination.key === allowed) return;
    if (new URL(destination.url).pathname === window.location.pathname) return;
    event.preventDefault();
    onMove(() => {
      allowed = destination.key;
      navigation.traverseTo(destination.key);
    });
  };
  navigation.addEventListener('navigate', onNavigate);
  return () => navigation.removeEventListener('navigate', onNavigate);
}
