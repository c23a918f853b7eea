import type { BlockList } from 'node:net';
import { sourceAddressOf } from '@gateway/configuration';
import type { Head } from '../../http/head.ts';
import type { Target } from '../../http/routes.ts';
import type { Caller } from '../request/caller.ts';
import type { Accepted } from './types.ts';

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
    begun: caller.begun,
  };
}
