"""Workers on several machines with Dask, which is imported when it is used."""
