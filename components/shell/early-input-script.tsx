/**
 * Runs in the browser before any other script of the page, and by itself: nothing from outside its braces is there. What is
 * clicked or typed while React has not taken an element over yet would be lost, or sent as a plain form with its fields in the
 * address. It is kept, and done again once the element is React's own.
 */
function keepEarlyInput(): void {
  const PATIENCE_MS = 30_000;
  const typed = new Map<HTMLInputElement | HTMLTextAreaElement, string>();

  interface Fiber {
    return: Fiber | null;
    alternate: Fiber | null;
    flags: number;
  }
  /** In React's flags: placed, or taken over, by a render that is still under way. */
  const UNDER_WAY = 2 | 4096;

  /**
   * React writes what an element is to it into a property of the element; that comes while it renders, and what is done before
   * the render is through is lost. It tells by the same marks itself (getNearestMountedFiber).
   */
  const isAwake = (element: Element): boolean => {
    const key = Object.keys(element).find((name) => name.startsWith('__reactFiber$'));
    const own = key && (element as unknown as Record<string, Fiber>)[key];
    if (!own) return false;
    for (let fiber: Fiber | null = own; fiber && !own.alternate; fiber = fiber.return) {
      if ((fiber.flags & UNDER_WAY) !== 0) return false;
    }
    return true;
  };

  const whenAwake = (element: Element, act: () => void): void => {
    const end = Date.now() + PATIENCE_MS;
    const look = (): void => {
      if (!element.isConnected || Date.now() > end) return;
      if (isAwake(element)) requestAnimationFrame(() => requestAnimationFrame(act));
      else requestAnimationFrame(look);
    };
    look();
  };

  const clickAgain = (button: HTMLElement): void => {
    // Menus and selects open with the pointer's way down.
    if (/^(menu|listbox)$/.test(button.ariaHasPopup ?? '') || button.role === 'combobox') {
      const down = { bubbles: true, cancelable: true, button: 0, pointerType: 'mouse' };
      button.dispatchEvent(new PointerEvent('pointerdown', down));
    }
    button.click();
  };

  addEventListener(
    'click',
    (event) => {
      const button = event.target instanceof Element && event.target.closest<HTMLElement>('button');
      if (!event.isTrusted || !button || isAwake(button)) return;
      let isLost = false;
      const bubbled = (): void => {
        isLost = !isAwake(button);
      };
      addEventListener('click', bubbled, { once: true });
      if (button instanceof HTMLButtonElement && button.type === 'submit') event.preventDefault();
      setTimeout(() => {
        removeEventListener('click', bubbled);
        if (isLost || !isAwake(button)) whenAwake(button, () => clickAgain(button));
      });
    },
    true,
  );

  addEventListener(
    'input',
    ({ isTrusted, target }) => {
      if (!isTrusted || !(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
      if (isAwake(target) || /^(checkbox|radio|file)$/.test(target.type)) return;
      const isFirst = !typed.has(target);
      typed.set(target, target.value);
      if (!isFirst) return;
      whenAwake(target, () => {
        const value = typed.get(target) ?? '';
        typed.delete(target);
        // React compares with the last value that it saw set: first that, then past it.
        const { prototype } = target instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
        target.value = '';
        Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(target, value);
        target.dispatchEvent(new Event('input', { bubbles: true }));
      });
    },
    true,
  );
}

export function EarlyInputScript({ nonce }: { nonce: string | undefined }) {
  const script = `(${keepEarlyInput.toString()})()`;
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: script }} />;
}
