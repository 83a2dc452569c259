"""What the analysis saw, judged: one module for each way in which a test can fail to be one."""
