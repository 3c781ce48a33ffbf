"""Small pure modules that every package of the host may use, imported one by one."""
