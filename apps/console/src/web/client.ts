import { LONGEST_RETURN_LOCATION } from '../server/sign-in/longest-return-location.ts';

// Pages that are answered without a session load this script alone: no other one is served to their reader, so the bundle must
// contain all of it. It goes to the sign-in, which returns to the same place, including the fragment, unless that is too long.
const here = location.pathname + location.hash;
const to = here.length > LONGEST_RETURN_LOCATION ? location.pathname : here;
location.replace(`/auth/login?to=${encodeURIComponent(to)}`);
