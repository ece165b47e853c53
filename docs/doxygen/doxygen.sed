# What the header says in plain text, in Markdown for Doxygen.

# "Frames       world, ..." and "Frames:    `inertia`: ...": an entry of a list
s/^ \* ([A-Z][a-z]+):?  +/ * - **\1:** /
# the loop of the stage protocol: code is indented by four
/^ \*   while \(/,/^ \*   \}/s/^ \*  / *      /
