"""What is known while a program is followed: values, the rows they hold, what happened, the machine that keeps it."""
