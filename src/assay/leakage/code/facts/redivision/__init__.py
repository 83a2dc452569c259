"""Ways in which parts that look divided still share rows."""
