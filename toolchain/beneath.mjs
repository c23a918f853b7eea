// What `npm start` and `npm test` run lives no longer than they do. Plain JavaScript for Node 20 or newer.
import process from 'node:process';
import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Passes on to a child what is to end this process: Ctrl-C in a terminal reaches the child by itself too, but who sends a signal to
 * npm alone reaches only this process. Ends it also where npm is gone, which may itself be killed: nobody could end it any more.
 * @param patience milliseconds after which the child is made to end; null: it takes the time it needs
 * @returns ends the passing on, and says which signal came
 */
export function beneath(child, patience = null) {
  let came = null;
  let late;
  const pass = (signal) => {
    if (came === null && patience !== null) late = setTimeout(() => child.kill('SIGKILL'), patience);
    came ??= signal;
    child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    pass('SIGTERM');
  }, 500);
  watch.unref();
  return () => {
    clearInterval(watch);
    clearTimeout(late);
    for (const signal of SIGNALS) process.off(signal, pass);
    return came;
  };
}
