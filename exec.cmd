@rem npm scripts say "exec" so that on Linux and macOS no shell stands between npm and the program and signals reach it; this is the same word for Windows.
@%*
