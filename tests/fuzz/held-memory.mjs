// Loaded before the gateway: at SIGUSR2 it collects garbage and writes the heap size in bytes beside its state directory.
import { renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGUSR2', () => {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  const file = `${process.env['GATEWAY_STATE_DIR']}.held`;
  writeFileSync(`${file}.writing`, String(heapUsed + arrayBuffers));
  renameSync(`${file}.writing`, file);
});
