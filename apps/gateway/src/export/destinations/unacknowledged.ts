import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';

/**
 * Bytes handed to a connection that the system at its other end has not acknowledged (the `tx_queue` of `/proc/net/tcp`).
 * Null where this system does not tell, and once the connection is gone, a reset one too.
 */
export async function unacknowledged(socket: Socket): Promise<number | null> {
  const { localAddress, localPort, remoteAddress, remotePort, remoteFamily } = socket;
  if (localAddress === undefined || remoteAddress === undefined) return null;
  const table = await readFile(`/proc/net/tcp${remoteFamily === 'IPv6' ? '6' : ''}`, 'latin1').catch(() => '');
  const ends = `${endOf(localAddress, localPort)} ${endOf(remoteAddress, remotePort)} `;
  const row = table.indexOf(ends);
  if (row < 0) return null;
  // The state follows, two digits, and then what waits to be acknowledged.
  const [, waiting] = table.slice(row + ends.length, row + ends.length + 16).split(/[ :]/);
  return Number.parseInt(waiting ?? '', 16);
}

/** An end of a connection as the kernel prints it: the words of its address as they lie in memory, and the port. */
function endOf(address: string, port = 0): string {
  const bytes = address.includes(':') ? bytesOfIPv6(address) : Buffer.from(address.split('.').map(Number));
  if (endianness() === 'LE') bytes.swap32();
  return `${bytes.toString('hex')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}

function bytesOfIPv6(address: string): Buffer {
  const [plain = ''] = address.split('%');
  // A mapped address ends as one of version 4 does.
  const hexadecimal = plain.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: string[]) =>
    Buffer.from(parts.slice(0, 4).map(Number)).toString('hex').replace(/^..../, '$&:'),
  );
  const [before = [], after = []] = hexadecimal
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex');
}
