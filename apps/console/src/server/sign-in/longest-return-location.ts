/**
 * Longer than the addresses of all pages except one that begins after a name of hundreds of characters; that returns to the
 * first page. With the rest of its cookie it is below the 4096 bytes that browsers store. The page that goes to the sign-in
 * imports this too: its script has no other import.
 */
export const LONGEST_RETURN_LOCATION = 2000;
