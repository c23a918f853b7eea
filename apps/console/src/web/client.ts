// Pages that are answered without a session load this script alone: no other one is served to their reader. It imports nothing, and
// goes to the sign-in, which returns to the same place, including the fragment.
location.replace(`/auth/login?to=${encodeURIComponent(location.pathname + location.hash)}`);
