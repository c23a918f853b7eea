// Pages that are answered without a session load this script alone: no other one is served to their reader. It imports nothing, and
// goes to the sign-in, which returns to the same place, including the fragment, unless that is too long for its cookie.
const here = location.pathname + location.hash;
location.replace(`/auth/login?to=${encodeURIComponent(here.length > 2000 ? location.pathname : here)}`);
