/**
 * Where root keeps what the server's user must reach when the checkout lies where others cannot enter (below /root). Not a
 * temporary folder: those are everybody's, and are swept.
 */
export const ELSEWHERE = '/var/lib/gateway-postgresql';
