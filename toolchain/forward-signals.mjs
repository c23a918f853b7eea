// What `npm start` and `npm test` run lives no longer than they do. Plain JavaScript for Node 20 or newer.
import process from 'node:process';
import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Forwards signals to a child: Ctrl-C in a terminal reaches the child directly, but a signal sent only to npm reaches only this
 * process. It also ends the child where npm is gone, because nothing else would.
 * @param patience milliseconds after which the child is killed; null: without a limit
 * @returns a function that stops forwarding and returns the signal received
 */
export function forwardSignals(child, patience = null) {
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
