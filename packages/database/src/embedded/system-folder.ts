/**
 * Root's folder for files of the server's user when the checkout is in a private folder (below /root). It is no temporary folder:
 * those are shared, and are cleaned up.
 */
export const SYSTEM_FOLDER = '/var/lib/gateway-postgresql';
