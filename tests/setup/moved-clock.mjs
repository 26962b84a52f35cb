// Loaded into a console's process before all else: its clock goes on a day later whenever it gets SIGUSR2.
const DAY_MS = 86_400_000;
const RealDate = Date;
let aheadMs = 0;

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + aheadMs);
    else super(...parts);
  }

  static now() {
    return RealDate.now() + aheadMs;
  }
};

process.on('SIGUSR2', () => {
  aheadMs += DAY_MS;
  console.log(`ahead by ${aheadMs / DAY_MS} days`);
});
