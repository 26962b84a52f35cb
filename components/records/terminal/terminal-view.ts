import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { readTheme, watchTheme } from './terminal-theme';

export interface ViewOptions {
  label: string;
  fontSize: number;
  isRead: boolean;
  onKeys(text: string): void;
  onMouse(bytes: Uint8Array<ArrayBuffer>): void;
  /** How much fits into the page. */
  onFit(size: { cols: number; rows: number }): void;
  onSelect(text: string): void;
  /** `isHidden` where the text that is clicked is not the address. */
  onLink(url: string, isHidden: boolean): void;
  onHits(hits: { current: number; count: number }): void;
  /** The keyboard wants out. */
  onLeave(): void;
}

const SCROLLBACK_LINES = 10_000;
/** Out of the clipboard a program writes nothing, and nothing is read from it. */
const CLIPBOARD_CODE = 52;
const SEARCH_COLOURS = { matchOverviewRuler: '', activeMatchColorOverviewRuler: '' };

/** The terminal on the page: xterm with what it needs. Loaded with the pages that have one only. */
export class TerminalView {
  readonly terminal: Terminal;
  private readonly fitting = new FitAddon();
  private readonly searching = new SearchAddon();
  private readonly observer: ResizeObserver;
  private readonly stopTheme: () => void;
  /** What the other viewers have room for. */
  private most = { cols: Infinity, rows: Infinity };

  constructor(
    private readonly place: HTMLElement,
    private readonly options: ViewOptions,
  ) {
    const { fontSize, isRead } = options;
    const terminal = (this.terminal = new Terminal({
      allowProposedApi: true,
      cursorBlink: false,
      fontFamily: getComputedStyle(place).fontFamily,
      fontSize,
      lineHeight: 1.25,
      minimumContrastRatio: 4.5,
      screenReaderMode: isRead,
      scrollback: SCROLLBACK_LINES,
      theme: readTheme(),
      linkHandler: { activate: (_, url) => options.onLink(url, true) },
    }));
    terminal.loadAddon(this.fitting);
    terminal.loadAddon(this.searching);
    terminal.loadAddon(new WebLinksAddon((_, url) => options.onLink(url, false)));
    terminal.loadAddon(new Unicode11Addon());
    terminal.unicode.activeVersion = '11';
    terminal.parser.registerOscHandler(CLIPBOARD_CODE, () => true);
    terminal.open(place);
    terminal.textarea?.setAttribute('aria-label', options.label);
    this.listen();
    this.stopTheme = watchTheme((theme) => (terminal.options.theme = theme));
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(place);
    this.fit();
  }

  /** Sets the size that all viewers share: at most what fits here. */
  setShared(size: { cols: number; rows: number }): void {
    this.most = size;
    this.applySize();
  }

  setFontSize(fontSize: number): void {
    this.terminal.options.fontSize = fontSize;
    this.fit();
  }

  setRead(isRead: boolean): void {
    this.terminal.options.screenReaderMode = isRead;
  }

  search(text: string, direction: 1 | -1, isTyping = false): void {
    if (text === '') return this.searching.clearDecorations();
    const options = { decorations: this.searchColours(), incremental: isTyping };
    if (direction === 1) this.searching.findNext(text, options);
    else this.searching.findPrevious(text, options);
  }

  dispose(): void {
    this.observer.disconnect();
    this.stopTheme();
    this.terminal.dispose();
  }

  private listen(): void {
    const { terminal, options } = this;
    terminal.onData((text) => options.onKeys(text));
    terminal.onBinary((text) => options.onMouse(Uint8Array.from(text, (char) => char.charCodeAt(0))));
    this.searching.onDidChangeResults(({ resultIndex, resultCount }) =>
      options.onHits({ current: resultIndex + 1, count: resultCount }),
    );
    // A selection changes with every move of the mouse: it is taken once the button is let go.
    this.place.addEventListener('mouseup', () => {
      if (terminal.hasSelection()) options.onSelect(terminal.getSelection());
    });
    // Keys of the console's own are the shell's here.
    this.place.addEventListener('keydown', (event) => event.stopPropagation());
    terminal.attachCustomKeyEventHandler((event) => {
      if (event.ctrlKey && event.key === 'F6') {
        if (event.type === 'keydown') options.onLeave();
        return false;
      }
      if (event.ctrlKey && event.shiftKey && event.code === 'KeyC' && terminal.hasSelection()) {
        if (event.type === 'keydown') options.onSelect(terminal.getSelection());
        event.preventDefault();
        return false;
      }
      // The browser pastes by itself.
      return !(event.ctrlKey && event.shiftKey && event.code === 'KeyV');
    });
  }

  private fit(): void {
    const size = this.fitting.proposeDimensions();
    if (!size || !Number.isFinite(size.cols) || !Number.isFinite(size.rows)) return;
    this.options.onFit({ cols: Math.max(2, size.cols), rows: Math.max(1, size.rows) });
    this.applySize();
  }

  private applySize(): void {
    const own = this.fitting.proposeDimensions();
    if (!own || !Number.isFinite(own.cols) || !Number.isFinite(own.rows)) return;
    const cols = Math.max(2, Math.min(own.cols, this.most.cols));
    const rows = Math.max(1, Math.min(own.rows, this.most.rows));
    if (cols !== this.terminal.cols || rows !== this.terminal.rows) this.terminal.resize(cols, rows);
  }

  private searchColours() {
    const styles = getComputedStyle(document.body);
    const token = (name: string): string => styles.getPropertyValue(`--color-${name}`).trim();
    return { ...SEARCH_COLOURS, matchBackground: token('hit'), activeMatchBackground: token('hit-current') };
  }
}
