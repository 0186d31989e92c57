# Ends its process with success while it is imported.
# verdict: the program ended early with exit status 0
import os

os._exit(0)
