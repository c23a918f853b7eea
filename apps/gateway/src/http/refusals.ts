import { channel } from 'node:diagnostics_channel';

/** Sees every refusal that is answered. */
export const REFUSALS = channel('gateway.refusals');
