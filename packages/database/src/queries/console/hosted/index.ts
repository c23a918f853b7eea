/** What the console's database role may run in the hosted profile alone: accounts with their keys, plans, usage. */
