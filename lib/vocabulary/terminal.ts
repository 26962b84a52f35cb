/** What a terminal's socket says beside the bytes of the terminal, as JSON text. */

/** The browser's side. */
export type TerminalAct =
  | { k: 'resize'; cols: number; rows: number }
  /** So many bytes of output more are shown: who shows nothing is sent no more than the window. */
  | { k: 'taken'; bytes: number }
  | { k: 'end' };

/** Output that may be under way to a browser that has not shown it. */
export const TERMINAL_WINDOW_BYTES = 1024 * 1024;

export interface Watcher {
  /** Of the user. */
  id: string;
  name: string;
}

/** Why a socket is closed. With `lost` the session lives on, and coming back takes it up again. */
export const TERMINAL_CLOSES = {
  ended: 1000,
  garbage: 1003,
  revoked: 4403,
  gone: 4404,
  limit: 4429,
  failed: 4500,
  lost: 4503,
} as const;
export type TerminalCloseReason = keyof typeof TERMINAL_CLOSES;

/** The console's side. */
export type TerminalNewsForViewer =
  | {
      k: 'begin';
      session: string;
      /** Place of the first byte that follows, and up to where it is replay. */
      offset: number;
      replayTo: number;
      isNew: boolean;
      owner: Watcher;
      program: string;
      takesInput: boolean;
    }
  | { k: 'skipped'; bytes: number }
  | { k: 'size'; cols: number; rows: number }
  /** Everyone who looks on, the longest first; `place` is this socket's. */
  | { k: 'watching'; people: Watcher[]; place: number }
  | { k: 'closed'; reason: TerminalCloseReason; message: string; code: number | null };
