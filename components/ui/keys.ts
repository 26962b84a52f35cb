/** Whether a key pressed here writes something. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && /^(checkbox|radio)$/.test(target.type)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** Whether a key of the page itself is meant: no field, no modifier, nothing open above the page. */
export function isPageKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return false;
  return document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]') === null;
}
