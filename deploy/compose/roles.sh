#!/bin/bash
# Runs once, in the first start of the database: the owner, the roles of the two services, and the database.
set -euo pipefail
PGPASSWORD=$POSTGRES_PASSWORD psql --set=ON_ERROR_STOP=1 --username=postgres \
  --set=owner="$OWNER_PASSWORD" --set=gateway="$GATEWAY_PASSWORD" --set=console="$CONSOLE_PASSWORD" <<'SQL'
create role owner login password :'owner';
create role gateway_service login password :'gateway';
create role console_service login password :'console';
create database gateway owner owner;
SQL
