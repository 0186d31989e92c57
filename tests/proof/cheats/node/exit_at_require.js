// Ends its process with success while it is required.
// verdict: the program ended early with exit status 0
process.exit(0);
