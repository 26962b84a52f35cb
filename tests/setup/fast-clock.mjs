// Loaded into a process before all else: its clock runs CLOCK_RATE times as fast from CLOCK_START (real milliseconds) on, also
// where the process is started anew. Timers keep their time.
const RealDate = Date;
const start = Number(process.env.CLOCK_START);
const rate = Number(process.env.CLOCK_RATE);
const now = () => Math.round(start + (RealDate.now() - start) * rate);

globalThis.Date = class extends RealDate {
  // Its own: what wraps the class again copies those alone.
  static parse = RealDate.parse;
  static UTC = RealDate.UTC;

  constructor(...parts) {
    if (parts.length === 0) super(now());
    else super(...parts);
  }

  static now() {
    return now();
  }
};
