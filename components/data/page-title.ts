/**
 * Keeps a title while its page is shown: the framework writes the page's general one whenever it is done with it, which
 * may be after the record was there. Returns the end, which gives back what the framework wrote last.
 */
export function keepTitle(title: string): () => void {
  let general = document.title;
  const keep = () => {
    if (document.title === title) return;
    general = document.title;
    document.title = title;
  };
  keep();
  const observer = new MutationObserver(keep);
  observer.observe(document.head, { childList: true, characterData: true, subtree: true });
  return () => {
    observer.disconnect();
    if (document.title === title) document.title = general;
  };
}
