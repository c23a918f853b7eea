// Loaded before the gateway: SIGUSR2 sets the clock of the process ten minutes ahead, and the next one back again.
const OFFSET_MS = 600_000;
let offset = 0;
const RealDate = Date;
const now = RealDate.now.bind(RealDate);
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(now() + offset);
    else super(...given);
  }
  static now() {
    return now() + offset;
  }
};
process.on('SIGUSR2', () => {
  offset = offset === 0 ? OFFSET_MS : 0;
});
