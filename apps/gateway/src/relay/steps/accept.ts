import type { BlockList } from 'node:net';
import { sourceAddressOf } from '@gateway/configuration';
import type { Head } from '../../server/head.ts';
import type { Target } from '../../server/target.ts';
import type { Caller } from '../caller.ts';
import type { Accepted } from '../stations.ts';

export function accept(
  caller: Caller,
  head: Head,
  target: Target & { readonly segment: string },
  trustedProxies: BlockList | null,
): Accepted {
  const { request } = caller;
  return {
    caller,
    head,
    method: request.method ?? 'GET',
    segment: target.segment,
    rest: target.rest,
    sourceAddress: sourceAddressOf(request.socket.remoteAddress, head.forwardedFor, trustedProxies),
    begun: performance.now(),
  };
}
