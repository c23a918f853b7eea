#!/bin/bash
# Stands for the entry point of PostgreSQL's image: the same variables, folders and order, with Debian's PostgreSQL.
set -euo pipefail
export PGDATA=/var/lib/postgresql/data LANG=C.UTF-8
bin=$(echo /usr/lib/postgresql/*/bin)
if [ "$(id --user)" = 0 ]; then
  chown postgres: /var/run/postgresql "$PGDATA"
  exec setpriv --reuid=postgres --regid=postgres --clear-groups bash "$0"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # shellcheck disable=SC2086 # several options
  "$bin/initdb" --username=postgres --pwfile=<(echo "$POSTGRES_PASSWORD") $POSTGRES_INITDB_ARGS
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  "$bin/pg_ctl" --wait --options='-c listen_addresses=' start
  for script in /docker-entrypoint-initdb.d/*.sh; do bash "$script"; done
  "$bin/pg_ctl" --wait --mode=fast stop
fi
exec "$bin/postgres" -c unix_socket_directories=/var/run/postgresql
