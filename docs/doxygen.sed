# What the header says in plain text, in Markdown for Doxygen.

# a full stop in a formula does not end the first sentence
s/omega \. I omega/omega.I omega/
# "Frames       world, ..." and "Frames:    `inertia`: ...": an entry of a list
s/^ \* ([A-Z][a-z]+):?  +/ * - **\1:** /
# the loop of the stage protocol: code is indented by four
/^ \*   while \(/,/^ \*   \}/s/^ \*  / *      /
