"""What answers the papers and fills the docs, from the results in study/results."""
